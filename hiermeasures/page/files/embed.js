// For a page with the Explorer in an <iframe>: gives the frame the height that the Explorer sends. It ignores all other messages.

addEventListener("message", ({ source, data }) => {
  const height = data?.hiermeasures?.height;
  const frame = [...document.querySelectorAll("iframe")].find(({ contentWindow }) => contentWindow === source);
  if (frame && Number.isFinite(height) && height > 0 && height < 20000) frame.style.height = `${Math.ceil(height)}px`;
});
