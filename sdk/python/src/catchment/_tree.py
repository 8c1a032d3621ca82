"""The tree of nodes."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Callable, Iterator, Mapping, Sequence

from ._frames import load

# : A tree shows these of each node.
ATTRIBUTES = "_id,_class,name,customId,parentId,units,currentTime,currentValue"


@dataclass
class TreeNode:
    """A node with its place: `path` is the names from its Workspace on, joined by slashes."""

    id: str
    name: str
    path: str
    kind: str
    document: Mapping[str, Any] = field(repr=False)
    children: list[TreeNode] = field(default_factory=list, repr=False)

    @property
    def custom_id(self) -> str | None:
        return self.document.get("customId")

    def __iter__(self) -> Iterator[TreeNode]:
        """The node and all below it."""
        yield self
        for child in self.children:
            yield from child


@dataclass
class Tree:
    roots: list[TreeNode]

    def __iter__(self) -> Iterator[TreeNode]:
        for root in self.roots:
            yield from root

    def find(self, pattern: str) -> list[TreeNode]:
        """
        Nodes whose path ends in a pattern, from a name on: ``*`` stands for any text, also over several names, and with ``/`` first it is the
        whole path. ``"Dead Run*/*/Gage height"`` finds ``Maryland rivers/Dead Run at Franklintown/River gauge/Gage height``. Letter case does
        not matter. The filter ``path($like:…)`` of the API has the same rules (docs/reference/query-arguments.md).
        """
        matches = matcher(pattern)
        return [node for node in self if matches(node.path)]

    def to_frame(self) -> Any:
        """
        A row for each node, in the order of the tree, as a DataFrame of pandas: index `id`, columns `path`, `name`, `kind`, `custom_id`,
        `parent`, `depth`, `units`.
        """
        pd = load("pandas")
        rows = [
            {
                "id": node.id,
                "path": node.path,
                "name": node.name,
                "kind": node.kind,
                "custom_id": node.custom_id,
                "parent": node.document.get("parentId"),
                "depth": depth,
                "units": node.document.get("units"),
            }
            for node, depth in self._walk(self.roots, 0)
        ]
        columns = ["id", "path", "name", "kind", "custom_id", "parent", "depth", "units"]
        return pd.DataFrame(rows, columns=columns).set_index("id")

    def _walk(self, nodes: Sequence[TreeNode], depth: int) -> Iterator[tuple[TreeNode, int]]:
        for node in nodes:
            yield node, depth
            yield from self._walk(node.children, depth + 1)

    def __str__(self) -> str:
        return "\n".join(f"{'  ' * depth}{node.name}" for node, depth in self._walk(self.roots, 0))


def matcher(pattern: str) -> Callable[[str], bool]:
    end = ".*".join(re.escape(one) for one in pattern.strip("/").split("*"))
    compiled = re.compile(("" if pattern.startswith("/") else "(?:.*/)?") + end, re.IGNORECASE | re.DOTALL)
    return lambda path: compiled.fullmatch(path) is not None


def tree_of(documents: Sequence[Mapping[str, Any]]) -> Tree:
    """A tree of what a list answered. A node whose parent cannot be seen is a root."""
    by_id = {one["_id"]: one for one in documents}
    nodes: dict[str, TreeNode] = {}

    def path_of(one: Mapping[str, Any]) -> str:
        names: list[str] = []
        seen: Mapping[str, Any] | None = one
        while seen is not None and len(names) < 64:
            names.append(seen.get("name", ""))
            seen = by_id.get(seen.get("parentId", ""))
        return "/".join(reversed(names))

    for one in documents:
        nodes[one["_id"]] = TreeNode(
            one["_id"], one.get("name", ""), path_of(one), one["_class"].rsplit(".", 1)[-1], one
        )
    roots: list[TreeNode] = []
    for one in documents:
        parent = nodes.get(one.get("parentId", ""))
        (parent.children if parent else roots).append(nodes[one["_id"]])
    for siblings in [roots, *(node.children for node in nodes.values())]:
        siblings.sort(key=lambda node: node.name.casefold())
    return Tree(roots)
