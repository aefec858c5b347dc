// Sets a text as text. Code has a button that copies it.

function drawComponent({ data, parentElement }) {
  const line = parentElement.querySelector("p");
  line.textContent = data.text;
  line.className = data.kind;
  line.title = data.kind === "line" ? data.text : "";
  if (data.kind === "error") line.setAttribute("role", "alert"); else line.removeAttribute("role");
  if (data.kind !== "code") return;
  const code = element("code", "", data.text);
  line.replaceChildren(code, copyButton(() => data.text, () => getSelection().selectAllChildren(code)));
}
