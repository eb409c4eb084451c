import { limits } from "../../../protocol/limits.ts";
import type { ProviderDeps } from "../deps.ts";
import type { Memory } from "../memory.ts";
import { factsKey, listModels, modelListing } from "../model-list.ts";
import type { Listed } from "../listed.ts";
import type { Provider, ProviderRequest } from "../provider.ts";
import { errorAsData, usageApart } from "../sdk-events.ts";
import type { Target, WireSettings } from "../target.ts";
import { fittedTokens } from "../tokens.ts";
import type { WireRequest, Exchange, Wire } from "../wire.ts";
import { wireProvider } from "../wire-provider.ts";
import { chatRequest, type ChatShape, optionalChatFields } from "./chat-request.ts";
import { chunksOfWhole, readChat } from "./chat-response.ts";
import { defaultBaseURL, defaultModel } from "./defaults.ts";
import { type Facts, learnFact, readFacts, type WireName } from "./facts.ts";
import { lessonOf, type Tried } from "./learn.ts";
import { isDone, loadLine } from "./transport.ts";
import { byGeneration, contextWindow, hasDeveloper, isChatModel, needsResponses, responseTokens } from "./models.ts";
import { openaiVoice } from "./voice.ts";
import { optionalResponsesFields, responsesRequest } from "./responses-request.ts";
import { eventsOfWhole, readResponses } from "./responses-response.ts";

/** Its refusal of a result without its tool's name doesn't mention the name. */
const gemini = "generativelanguage.googleapis.com";

/** Chat Completions and Responses, at OpenAI or at any compatible server. `settings` is called for each request. */
export function openaiProvider(settings: () => WireSettings, deps: ProviderDeps, memory: Memory): Provider {
  const listing = modelListing(memory, contextWindow);

  function exchange(request: ProviderRequest, target: Target): Exchange {
    const key = factsKey(target, request.model);
    /** What refusals have taught so far. It is stored once the server has accepted a request that uses it. */
    let lessons: Facts = {};
    /** The `max_tokens` that a refusal of this request allowed. */
    let named: number | null = null;
    let offersNone = false;
    const shapes = new Set<string>();
    const fieldsTried = new Set<string>();

    function shape(): ChatShape & { readonly wire: WireName } {
      const facts = { ...readFacts(memory, key), ...lessons };
      const { official } = target;
      const known = official ? responseTokens(request.model) : null;
      const allowed = facts.maxTokens ?? known ?? listing.output(target, request.model);
      const window = facts.window ?? listing.window(target, request.model);
      return {
        wire: facts.wire ?? (official && needsResponses(request.model) ? "responses" : "chat"),
        tokens: named ?? fittedTokens({ allowed, window, soFar: request.tokensSoFar, bound: request.maxTokens }),
        tokensField: facts.tokensField === undefined ? (official ? "max_completion_tokens" : "max_tokens") : facts.tokensField,
        role: facts.role ?? (official && hasDeveloper(request.model) ? "developer" : "system"),
        without: facts.without ?? [],
        ...(facts.effort ? { effort: facts.effort } : {}),
        ...(facts.alternate ? { alternate: true } : {}),
        ...(facts.shortIds ? { shortIds: true } : {}),
        ...(facts.signatures ? { signatures: true } : {}),
        ...(facts.reasoning === undefined ? {} : { reasoning: facts.reasoning }),
        ...(facts.replies ? { replies: true } : {}),
        ...(facts.texts ? { texts: true } : {}),
        ...(facts.toolNames || target.host === gemini ? { toolNames: true } : {}),
      };
    }

    function tried({ wire, tokens, tokensField, role, without = [], ...fit }: ReturnType<typeof shape>): Tried {
      const fields = wire === "chat" ? optionalChatFields : optionalResponsesFields;
      return {
        wire,
        offersNone,
        tokens,
        tokensField: wire === "chat" ? tokensField : "max_output_tokens",
        bothFields: fieldsTried.size > 1,
        role,
        optional: fields.filter((field) => !without.includes(field)),
        fit,
      };
    }

    return {
      next(): WireRequest {
        const now = shape();
        shapes.add(JSON.stringify(now));
        if (now.wire === "responses") {
          const body = responsesRequest(request, now.tokens, now.without ?? []);
          return { path: "/responses", body, reading: readResponses(), whole: eventsOfWhole };
        }
        fieldsTried.add(String(now.tokensField));
        return { path: "/chat/completions", body: chatRequest(request, now), reading: readChat(), whole: chunksOfWhole };
      },
      learn(refusal) {
        offersNone ||= /reasoning_effort\W+to\W+none\b/i.test(refusal.said ?? "");
        const lesson = lessonOf(refusal, tried(shape()));
        if (lesson === null) return false;
        const before = { lessons, named };
        const { without } = lesson.fact;
        lessons = { ...lessons, ...lesson.fact, ...(without ? { without: [...(shape().without ?? []), ...without] } : {}) };
        named = lesson.tokens ?? named;
        // A request that was refused is not tried again.
        if (!shapes.has(JSON.stringify(shape()))) return true;
        ({ lessons, named } = before);
        return false;
      },
      taken() {
        if (Object.keys(lessons).length > 0) learnFact(memory, key, lessons);
      },
    };
  }

  const wire: Wire = {
    name: "openai",
    title: "OpenAI",
    defaultBaseURL,
    isLast: isDone,
    tidy: (event) => usageApart(errorAsData(event)),
    thinkingMs: limits.thinkingMs,
    load: loadLine,
    exchange,
    async list(line, target) {
      const models = await listModels(line, "/models", {}, "after");
      const usable = models.filter((model) => isUsable(model, target.official, deps.timers.now()));
      return target.official ? usable.toSorted(bestFirst) : usable;
    },
  };
  return {
    ...wireProvider(wire, settings, deps, listing),
    voice: (asked, signal, asks) => openaiVoice(settings(), wire, deps, asked, signal, asks),
  };
}

function isUsable({ id, entry }: Listed, official: boolean, now: number): boolean {
  if (official && !isChatModel(id)) return false;
  // Some servers mark models that aren't for chats.
  const { type, capabilities, shutdown_date: shutdown } = entry;
  if (type === "embeddings" || type === "embedding") return false;
  if (typeof capabilities === "object" && capabilities !== null && "completion_chat" in capabilities && !capabilities["completion_chat"])
    return false;
  return !(typeof shutdown === "string" && Date.parse(shutdown) < now);
}

/** Sorts Vibey's default model first, then the newest generation. */
function bestFirst(a: Listed, b: Listed): number {
  return Number(b.id === defaultModel) - Number(a.id === defaultModel) || byGeneration(a.id, b.id);
}
