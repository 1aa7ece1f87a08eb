/** Letters that a PDF names but does not embed are drawn with fonts that come with the program, since a machine may have others or none. */
import { fileURLToPath } from 'node:url'

/** A path, because the URL of the file cannot be read: letters without fonts would be drawn as nothing. */
const folder = fileURLToPath(new URL('./standard_fonts/', import.meta.resolve('pdfjs-dist/package.json')))

/** Options of `getDocumentProxy` that make a page look the same everywhere. */
export const ownFonts = { useSystemFonts: false, standardFontDataUrl: folder } as const
