// Sets a text as text.

function drawComponent({ data, parentElement }) {
  const line = parentElement.querySelector("p");
  line.textContent = data.text;
  line.className = data.kind;
  line.title = data.kind === "line" ? data.text : "";
  if (data.kind === "error") line.setAttribute("role", "alert"); else line.removeAttribute("role");
}
