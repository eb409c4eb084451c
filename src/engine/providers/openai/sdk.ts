/** What is used of the SDK, and nothing else: this module is loaded with the first request, not with the engine. */
export { OpenAI } from "openai/client";
export { APIConnectionError, APIError } from "openai/core/error";
