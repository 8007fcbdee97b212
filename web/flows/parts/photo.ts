/** A photo of a phone as it is sent: no larger than the service keeps it, so that it is quickly there. */

/** The longer side that is kept of an image, in pixels, and the one of its small picture. */
const sides = { sent: 2_600, shown: 320 };
/** Below it a file goes as it is. */
const smallBytes = 1_000_000;

async function drawn(image: ImageBitmap, side: number): Promise<OffscreenCanvas | null> {
  const scale = Math.min(1, side / Math.max(image.width, image.height));
  const [width, height] = [image.width * scale, image.height * scale].map((one) =>
    Math.max(1, Math.round(one)),
  ) as [number, number];
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  // A transparent image would be black.
  if (context) context.fillStyle = '#fff';
  context?.fillRect(0, 0, width, height);
  context?.drawImage(image, 0, 0, width, height);
  return context && canvas;
}

const jpegOf = async (image: ImageBitmap, side: number, quality: number): Promise<Blob | null> =>
  (await (await drawn(image, side))?.convertToBlob({ type: 'image/jpeg', quality })) ?? null;

/** A file in base64. */
export async function encoded(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += 32_768)
    parts.push(String.fromCharCode(...bytes.subarray(at, at + 32_768)));
  return btoa(parts.join(''));
}

export interface Photo {
  readonly file: Blob;
  /** A small picture of it, as an address; null: it is none that this browser can show. */
  readonly picture: string | null;
}

/** A chosen file as it is sent. One that the browser cannot read goes as it is: the service says what it is. */
export async function photoOf(file: File): Promise<Photo> {
  if (file.type === 'application/pdf') return { file, picture: null };
  try {
    const image = await createImageBitmap(file);
    const [sent, shown] = await Promise.all([
      file.size > smallBytes ? jpegOf(image, sides.sent, 0.9) : null,
      jpegOf(image, sides.shown, 0.8),
    ]);
    image.close();
    const picture = shown && `data:image/jpeg;base64,${await encoded(shown)}`;
    return { file: sent && sent.size < file.size ? sent : file, picture };
  } catch {
    return { file, picture: null };
  }
}
