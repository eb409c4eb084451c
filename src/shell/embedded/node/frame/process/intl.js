// The browser's own Intl stays where it is.
export function installIntl() {}
