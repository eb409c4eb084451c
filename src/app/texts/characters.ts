export const hiddenCharacter = "A character that would not show";
