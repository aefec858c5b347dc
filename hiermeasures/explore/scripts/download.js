// Files that the browser makes and saves.

function handOut(name, content) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

// An SVG as PNG, painted here, for the browser has the fonts.
function handOutPainted(name, address, { width, height }) {
  const image = new Image();
  image.onload = () => {
    const canvas = document.createElement("canvas"), zoom = Math.min(1, 8000 / Math.max(width, height));
    canvas.width = Math.ceil(width * zoom);
    canvas.height = Math.ceil(height * zoom);
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => handOut(name, blob), "image/png");
  };
  image.src = address;
}
