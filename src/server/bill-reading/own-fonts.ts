/** Letters that a PDF names but does not carry: drawn with fonts that come with the program, since a machine may have others or none. */
import { fileURLToPath } from 'node:url'

/** A path, because the file's address is not read: letters without fonts are drawn as nothing. */
const folder = fileURLToPath(new URL('./standard_fonts/', import.meta.resolve('pdfjs-dist/package.json')))

/** What `getDocumentProxy` takes, so that a page looks the same everywhere. */
export const ownFonts = { useSystemFonts: false, standardFontDataUrl: folder } as const
