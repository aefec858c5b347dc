// The address bar as a component (location.js).

function drawComponent({ data }) {
  reflect(data);
}
