/** Only the used parts of the SDK. This module is loaded with the first request, not with the engine. */
export { BaseAnthropic } from "@anthropic-ai/sdk/client";
export { APIConnectionError, APIError } from "@anthropic-ai/sdk/error";
