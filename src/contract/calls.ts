/** Every call of the product, in one list: the server must handle each, the documentation and the tests walk it. */
import { authCalls } from './auth.ts'
import type { Call } from './kernel/call.ts'

const groups: readonly Readonly<Record<string, Call<never, never, never, never> | Call>>[] = [authCalls]

export const calls: readonly Call[] = groups.flatMap((group) => Object.values(group))
