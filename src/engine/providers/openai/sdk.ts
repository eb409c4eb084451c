/** Only the used parts of the SDK. This module is loaded with the first request, not with the engine. */
export { OpenAI } from "openai/client";
export { APIConnectionError, APIError } from "openai/core/error";
