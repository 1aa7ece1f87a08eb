/**
 * Returns the size of a PNG, JPEG, GIF or WebP from its header alone, so that a small file that unpacks to gigabytes is refused before it
 * is unpacked. Returns null if the bytes do not contain the size.
 */
export function pictureSize(bytes: Uint8Array): { width: number; height: number } | null {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (view.length >= 24 && view.readUInt32BE(0) === PNG && view.readUInt32BE(4) === PNG_REST) {
    return { width: view.readUInt32BE(16), height: view.readUInt32BE(20) }
  }
  if (/^GIF8[79]a/.test(view.toString('latin1', 0, 6)) && view.length >= 10) {
    return { width: view.readUInt16LE(6), height: view.readUInt16LE(8) }
  }
  if (view.toString('latin1', 0, 4) === 'RIFF' && view.toString('latin1', 8, 12) === 'WEBP' && view.length >= 30) return webpSize(view)
  return view.length > 4 && view.readUInt16BE(0) === JPEG ? jpegSize(view) : null
}

function webpSize(view: Buffer): { width: number; height: number } | null {
  switch (view.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { width: view.readUInt16LE(26) & WEBP_SIDE, height: view.readUInt16LE(28) & WEBP_SIDE }
    case 'VP8L': {
      const sides = view.readUInt32LE(21)
      return { width: (sides & WEBP_SIDE) + 1, height: ((sides >>> 14) & WEBP_SIDE) + 1 }
    }
    case 'VP8X':
      return { width: view.readUIntLE(24, 3) + 1, height: view.readUIntLE(27, 3) + 1 }
    default:
      return null
  }
}

const PNG = 0x89504e47
const PNG_REST = 0x0d0a1a0a
const JPEG = 0xffd8
/** Width and height have 14 bits each. */
const WEBP_SIDE = 0x3fff

/** Walks the segments of the file up to the one that starts a frame. */
function jpegSize(view: Buffer): { width: number; height: number } | null {
  for (let at = 2; at + 9 < view.length;) {
    if (view[at] !== 0xff) return null
    const mark = view[at + 1] ?? 0
    if (mark === 0xff) {
      at += 1
      continue
    }
    const isFrame = mark >= 0xc0 && mark <= 0xcf && mark !== 0xc4 && mark !== 0xc8 && mark !== 0xcc
    if (isFrame) return { height: view.readUInt16BE(at + 5), width: view.readUInt16BE(at + 7) }
    at += 2 + view.readUInt16BE(at + 2)
  }
  return null
}
