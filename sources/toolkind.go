package sources

// The one vocabulary of tools for all sources.
const (
	ToolRead   = "read"
	ToolEdit   = "edit"
	ToolCreate = "create"
	ToolSearch = "search"
	ToolList   = "list"
	ToolRun    = "run"
	ToolWeb    = "web"
	ToolPlan   = "plan"
	ToolTask   = "task"
	ToolMCP    = "mcp"
	ToolOther  = "other"
)
