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
    void destroyNode(OP_Node* node);
    int getNchildren() const { return int(nodes_.size()); }

private:
    std::string path_;
    std::vector<std::unique_ptr<OP_Node>> nodes_;
};
