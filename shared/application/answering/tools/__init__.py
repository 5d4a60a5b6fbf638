"""The tools that the model may call while it answers: each module is one tool, its declaration beside what it does.

A tool is bound to the chat and the member who asks (`ToolContext`). No argument names a chat or a member, and what a
model adds to its arguments is never read, so nothing that it is talked into reaches another's memory.
"""
