export const intro =
  "US dollars a million tokens. Your own prices come first, then what a provider lists, then the list prices that come with Vibey. A model in none of them has no known cost: set a price for it. Each response keeps what it cost when it ended, so a new price changes nothing that is past.";
export const notRead = (why: string) => `The prices could not be read: ${why}`;
export const own = "Your prices";
export const noneOwn = "You have given no price yet.";
export const add = "+ Add a price";
export const change = "Change";
export const changeOf = (model: string) => `Change ${model}`;
export const remove = "Remove";
export const removeOf = (model: string) => `Remove ${model}`;
export const saved = (model: string) => `${model} is saved. It counts from the next response on.`;
export const removed = (model: string) => `The price of ${model} is removed.`;
export const notRemoved = (why: string) => `Not removed: ${why}`;
export const notSaved = (why: string) => `Not saved: ${why}`;
export const alreadyThere = "this model has a price of yours already; change that one.";

export const listed = "From the provider";
export const noneListed = "No provider that is set up lists prices. Routers such as OpenRouter do; for others, give your own.";
export const builtIn = (date: string) => `List prices of ${date}`;
export const builtInNote =
  "They come with Vibey and may have changed since. They hold at the providers' own addresses, without discounts and taxes. Higher prices for long requests and at busy hours are included.";
export const noneBuiltIn = "The list has no prices for the addresses of your providers.";
export const filterBuiltIn = "Filter the list prices";
export const asking = "Asking…";
export const askAgain = "Ask again";
export const listsRead = "The lists of models were read again.";
export const listsNotRead = (why: string) => `No list of models could be read. ${why}`;
export const filter = "Filter";
export const filterLabel = "Filter the models";
export const noneFits = "No model has this in its name.";
export const ownCounts = "yours counts";

export const model = "Model";
export const actions = "What can be done";
export const input = "Input";
export const output = "Output";
export const cacheRead = "Cache read";
export const cacheWrite = "Cache write";
export const asInput = "as input";

export const form = "A price";
export const address = "Provider's address";
export const modelHint = "its id, or gpt-5*";
export const save = "Save";
export const cancel = "Cancel";
export const addressWrong = "Give the provider's address, such as https://api.example.com.";
export const modelWrong = "Give a model's id, or its beginning with a * behind it.";
export const priceWrong = (field: string) => `${field}: give dollars a million tokens, such as 0.15. A model that costs nothing has 0.`;
export const priceAmbiguous = (field: string, given: string, thousands: string, decimal: string) =>
  `${field}: ${given} can be read in two ways. Write ${thousands} or ${decimal}.`;
export const cachePriceWrong = (field: string) => `${field}: give dollars a million tokens, such as 0.15, or nothing.`;
