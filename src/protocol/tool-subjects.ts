/** For each tool, the field of its input that says what a call works on. */
export const toolSubjects: ReadonlyMap<string, string> = new Map([
  ["run_command", "command"],
  ["write_file", "path"],
  ["edit_file", "path"],
  ["vfs_read", "path"],
  ["vfs_list", "prefix"],
  ["vfs_write", "path"],
  ["vfs_delete", "path"],
  ["launch_agent", "slug"],
  ["spawn_agent", "filename"],
  ["signal_parent", "message"],
]);
