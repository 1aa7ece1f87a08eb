import { config } from 'zod'
import { styleNonce } from './style-nonce.ts'

// Must be the first import of the console's entry. zod probes for `new Function` when its first schema is made, which the content
// policy reports on every load; and some libraries put a style element into the page, which needs the page's nonce.
config({ jitless: true })
Object.assign(globalThis, { __webpack_nonce__: styleNonce() })
