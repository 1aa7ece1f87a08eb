import { config } from 'zod'
import { styleNonce } from './style-nonce.ts'

// Must be the first import of the console's entry. zod probes for `new Function` when its first schema is created, which the content policy
// would report on every load; and some libraries add a style element to the page, which needs the page's nonce.
config({ jitless: true })
Object.assign(globalThis, { __webpack_nonce__: styleNonce() })
