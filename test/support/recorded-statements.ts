/** Records the statements that the program sends, each text once, with the source file that sends it. */
import pg from 'pg'
import { atEndOfFile } from './end-of-file.ts'

/** Frames of a stack that are kept: a statement of a kernel's helper lies deep below the slice that asks for it. */
const FRAMES_MAX = 80

/** Texts of statements by source file, relative to `src/server`. A statement that a test sends itself is not among them. */
export type Recorded = ReadonlyMap<string, string>

/** Records from now on until the end of the file. */
export function recordStatements(): Recorded {
  const recorded = new Map<string, string>()
  const seen = new Set<string>()
  const { query } = pg.Client.prototype
  const recording = function (this: pg.Client, ...parameters: unknown[]): unknown {
    const text = textOf(parameters[0])
    if (text !== undefined && !seen.has(text)) {
      const place = senderOf()
      // A helper of a test may be the first to send a text that the program sends too.
      if (place !== undefined) {
        seen.add(text)
        recorded.set(text, place)
      }
    }
    return Reflect.apply(query, this, parameters)
  }
  Reflect.set(pg.Client.prototype, 'query', recording)
  atEndOfFile(() => Reflect.set(pg.Client.prototype, 'query', query))
  return recorded
}

function textOf(statement: unknown): string | undefined {
  if (typeof statement === 'string') return statement
  const text: unknown = typeof statement === 'object' && statement !== null ? Reflect.get(statement, 'text') : undefined
  return typeof text === 'string' ? text : undefined
}

/** Returns the slice's file in the stack of calls, or that of the kernel if no slice is in it. */
function senderOf(): string | undefined {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = FRAMES_MAX
  const { stack = '' } = new Error('who sends this')
  Error.stackTraceLimit = limit
  const files = [...stack.matchAll(/\/src\/server\/([\w/.-]+\.ts)/g)].map(([, file = '']) => file)
  return files.find((file) => !file.startsWith('kernel/')) ?? files.find((file) => !file.startsWith('kernel/postgres/'))
}
