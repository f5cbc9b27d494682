#pragma once
#include <OP/OP_Node.h>

/// A folder of nodes, which it owns.
class OP_Network
{
public:
    explicit OP_Network(const char* path = "/obj/geo1") : path_(path) {}
    ~OP_Network();
    const std::string& path() const { return path_; }
    /// A node of this type; the name is made unique. Null where the type is not in the table.
    OP_Node* createNode(const char* type, const char* name = nullptr);
    OP_Node* findNode(const char* name) const;
    /// Takes the node out of the network. A cook of it that is going on is interrupted; one by this
    /// thread goes on to its end first, see finish_destroying.
    void destroyNode(OP_Node* node);
    /// What an event loop does once nothing cooks: nodes whose deletion was put off go.
    void finish_destroying();
    int getNchildren() const { return int(nodes_.size()); }

private:
    std::string path_;
    std::vector<std::unique_ptr<OP_Node>> nodes_, leaving_;
};
