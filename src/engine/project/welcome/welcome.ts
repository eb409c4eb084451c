import look from "./doc-look.md?raw";
import main from "./doc-main.md?raw";
import rules from "./doc-rules.md?raw";

/** The docs of the demo, with their names in `vibey/`. They contain no authority lines, because a new user has allowed nothing yet. */
export function welcomeFiles(): { name: string; content: string }[] {
  return [
    { name: "doc-main.md", content: main },
    { name: "doc-rules.md", content: rules },
    { name: "doc-look.md", content: look },
  ];
}
