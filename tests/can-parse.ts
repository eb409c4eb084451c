/**
 * In Node 20, `URL.canParse` returns false for letters outside ASCII once it has been called so often that V8 compiles the call. Browsers, where
 * the product runs, don't have this bug.
 */
URL.canParse = (url, base) => {
  try {
    return new URL(url, base).href !== "";
  } catch {
    return false;
  }
};
