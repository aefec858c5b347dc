// What is said of the class under the mouse. vis-network shows it and takes it away when the mouse moves; here it also follows what
// happens under a mouse that rests: a mark that changes, a class that goes, a drawing that moves. Belongs to component.js.

const TOOLTIP_GAP = 6;   // pixels between a class and its words

function tooltip(shape) {
  const box = element("div");
  box.append(element("b", "", shape.title), ...(shape.called ? [element("span", "", shape.called)] : []), ...shape.words.map((words) => element("span", "", words)));
  return box;
}

// A finger that is gone rests nowhere: on a touch screen a class that was just chosen would keep its words and its halo.
function tooltipUp(graph) {
  const told = ({ pointerType }) => { graph.touched = pointerType === "touch"; };
  for (const kind of ["pointerdown", "pointermove"]) graph.canvas.addEventListener(kind, told, true);
  graph.network.on("showPopup", () => graph.touched ? hideTooltip(graph) : besideItsClass(graph));
}

// vis-network puts the words at the mouse, over the class's name. They stand above the class, or below it where there is no room.
function besideItsClass(graph) {
  const { popup } = graph.network.interactionHandler, show = popup.show;
  const place = () => {
    const shape = graph.shapes.get(graph.network.interactionHandler.popupObj?.id);
    if (!shape || popup.hidden) return;
    const half = heightOf(shape) / 2 + standOff(shape);
    const [above, below] = [shape.y - half, shape.y + half].map((y) => graph.network.canvasToDOM({ x: shape.x, y }).y);
    const top = above - popup.frame.offsetHeight - TOOLTIP_GAP;
    popup.frame.style.top = `${top >= 0 ? top : below + TOOLTIP_GAP}px`;
  };
  if (!popup.isPlaced) {
    popup.isPlaced = true;
    popup.show = (...given) => { show.apply(popup, given); place(); };
  }
  place();
}

// After the shapes changed, or their places.
function renewTooltip({ network, shapes, canvas }) {
  const { popup, popupObj } = network.interactionHandler;
  if (!popup || popup.hidden) return;
  const shape = shapes.get(popupObj?.id);
  if (!shape || !canvas.matches(":hover")) return hideTooltip({ network });
  if (popup.frame.textContent === tooltip(shape).textContent) return;
  popup.setText(tooltip(shape));
  popup.show();   // in its frame at its new size
}

function hideTooltip({ network }) {
  const handler = network.interactionHandler;
  handler.popup?.hide();
  handler.popupObj = undefined;   // or it would not come again for the same class
  clearTimeout(handler.popupTimer);
}
