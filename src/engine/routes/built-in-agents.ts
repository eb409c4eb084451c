import { vibeyPath } from "../../fs/vibey-name.ts";
import { readDefinition } from "../agents/read-definition.ts";
import type { Registry } from "../agents/registry.ts";
import { builtInResolver } from "../agents/resolver.ts";
import type { BuiltInAgent } from "../../protocol/index.ts";
import { json } from "./answers.ts";
import { route, type Routes } from "./route.ts";

/** The agents that come with Vibey. They aren't files, and a file with the same name replaces them. */
export function builtInRoutes(app: Routes, registry: Registry): void {
  route(app, "/agents/built-in", {
    GET: async () => {
      const { slug, text, maxTokens } = builtInResolver;
      const { fields, body } = readDefinition(vibeyPath(`agent-${slug}.md`), text);
      const { displayName, description } = fields;
      const isReplaced = (await registry.find(slug))?.isWellNamed === true;
      return json([{ slug, displayName, description, maxTokens, text, body, isReplaced }] satisfies BuiltInAgent[]);
    },
  });
}
