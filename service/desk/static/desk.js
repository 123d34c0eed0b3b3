"use strict";
// One key presses one button: those that carry data-key. Keys typed into a field are left alone.
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (event.target.closest("input, textarea, select")) return;
  const key = event.key.toLowerCase();
  const button = document.querySelector(`[data-key="${CSS.escape(key)}"]`);
  if (!button) return;
  event.preventDefault();
  button.click();
});
// A decision is sent once, however often its button is pressed.
document.addEventListener("submit", (event) => {
  if (event.target.dataset.sent) event.preventDefault();
  event.target.dataset.sent = "yes";
});
