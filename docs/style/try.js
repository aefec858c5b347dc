// "Try it" opens the live Explorer below the paragraph, in which it closes it again; a click with Ctrl opens the page itself. Frames
// get the height that the Explorer in them tells.

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a.try");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  const place = link.closest("p, li, table") ?? link, there = place.nextElementSibling;
  for (const button of place.querySelectorAll("a.try")) button.setAttribute("aria-expanded", "false");
  if (there?.matches("iframe.explorer")) {
    there.remove();
    if (there.dataset.of === link.href) return;
  }
  const frame = document.createElement("iframe"), address = new URL(link.href);
  address.searchParams.set("embed", "1");
  frame.className = "explorer";
  frame.title = "The Explorer, live";
  frame.dataset.of = link.href;
  frame.src = address;
  place.after(frame);
  link.setAttribute("aria-expanded", "true");
});

addEventListener("message", ({ source, data }) => {
  const height = data?.hiermeasures?.height;
  const frame = [...document.querySelectorAll("iframe.explorer")].find(({ contentWindow }) => contentWindow === source);
  if (frame && Number.isFinite(height) && height > 0 && height < 20000) frame.style.height = `${Math.ceil(height)}px`;
});
