/**
 * Node 20's own `URL.canParse` answers false for letters outside ASCII once it has been called so often that V8 compiles the call. Browsers,
 * where the product runs, do not.
 */
URL.canParse = (url, base) => {
  try {
    return new URL(url, base).href !== "";
  } catch {
    return false;
  }
};
