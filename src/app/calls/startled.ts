/**
 * Milliseconds after a question appears or changes in which no click and no key answers it. So one that was meant for what was there before, such as
 * the second click of a double click, allows nothing.
 */
export const startled = 600;
