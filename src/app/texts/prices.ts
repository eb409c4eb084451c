export const intro =
  "In US dollars per million tokens. Your prices come first, then the provider's, then the list prices that come with Vibey. A model with none of them has no known cost: add a price for it. Each response keeps the price it was made at, so changes here only affect future responses.";
export const notRead = (why: string) => `Couldn't read the prices: ${why}`;
export const own = "Your prices";
export const noneOwn = "No prices yet.";
export const add = "Add price";
export const finishFirst = "Save or cancel the price you are editing first.";
export const change = "Edit";
export const changeOf = (model: string) => `Edit ${model}`;
export const remove = "Remove";
export const removeOf = (model: string) => `Remove ${model}`;
export const saved = (model: string) => `Saved the price of ${model}. It applies from the next response.`;
export const removed = (model: string) => `Removed the price of ${model}.`;
export const notRemoved = (why: string) => `Couldn't remove the price: ${why}`;
export const notSaved = (why: string) => `Couldn't save the price: ${why}`;
export const alreadyThere = "you already set a price for this model. Edit that one.";

export const listed = "From the provider";
export const noneListed = "None of your providers list prices. Routers such as OpenRouter do. For others, add your own.";
export const builtIn = (date: string) => `List prices of ${date}`;
export const builtInNote =
  "These come with Vibey and may have changed since. They apply at the providers' own addresses, without discounts and taxes. Higher prices for long requests and busy hours are included.";
export const noneBuiltIn = "No list prices for your providers' addresses.";
export const filterBuiltIn = "Filter list prices";
export const asking = "Checking…";
export const askAgain = "Refresh";
export const listsRead = "Model lists updated.";
export const listsNotRead = (why: string) => `Couldn't load any model lists. ${why}`;
export const filter = "Filter";
export const filterLabel = "Filter models";
export const noneFits = "No matching models.";
export const ownCounts = "your price applies";

export const model = "Model";
export const actions = "Actions";
export const input = "Input";
export const output = "Output";
export const cacheRead = "Cache read";
export const cacheWrite = "Cache write";
export const asInput = "same as input";

export const form = "Price";
export const address = "Provider address";
export const modelHint = "Model ID, or gpt-5*";
export const save = "Save";
export const cancel = "Cancel";
export const addressWrong = "Enter the provider's address, such as https://api.example.com.";
export const modelWrong = "Enter a model ID, or its beginning followed by *.";
export const priceWrong = (field: string) => `${field}: enter dollars per million tokens, such as 0.15. Use 0 for a free model.`;
export const priceAmbiguous = (field: string, given: string, thousands: string, decimal: string) =>
  `${field}: ${given} is ambiguous. Write ${thousands} or ${decimal}.`;
export const cachePriceWrong = (field: string) => `${field}: enter dollars per million tokens, such as 0.15, or leave it empty.`;
