// Decides before the first paint whether the welcome page or the app shows. See docs/decisions/welcome.md.
(() => {
  const root = document.documentElement;
  let begun = true;
  try {
    const project = sessionStorage.getItem("vibey project") ?? localStorage.getItem("vibey project");
    begun = Boolean(project) || Object.keys(localStorage).some((key) => /^vibey (begun|glance  |draft |remove all)/.test(key));
    root.dataset.theme = localStorage.getItem("vibey theme") ?? "system";
  } catch (error) {
    console.info(error);
  }
  root.dataset.place = /^#\/?welcome$/.test(location.hash) || (location.hash === "" && !begun) ? "welcome" : "app";
  // Remembers what is pressed until the app's script is loaded.
  const press = (event) => {
    const pressed = event.type === "submit" ? event.target : event.target.closest?.("button[data-do]");
    if (!pressed?.matches("#welcome [data-do]")) return;
    event.preventDefault();
    root.dataset.wanted = pressed.dataset.do;
  };
  // Stores typed text, so that a reload keeps it.
  addEventListener("input", ({ target }) => {
    if (target.id !== "own-text") return;
    try {
      localStorage.setItem("vibey own text", target.value);
    } catch (error) {
      // The storage is full or blocked: the text is still in the field.
      console.info(error);
    }
  });
  addEventListener("click", press);
  addEventListener("submit", press);
})();
