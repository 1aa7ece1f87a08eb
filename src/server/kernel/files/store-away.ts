/** A file store reached over the network that does not answer or has a failure of its own. */
import { PassThrough, type Readable } from 'node:stream'
import { z } from 'zod'
import { isBrokenSocket } from '../http/broken-sockets.ts'
import { isNoRoom } from './no-room.ts'
import { Failure, NoRoom } from '../problem.ts'

/** The caller may try again. The log has the cause. */
class StoreAway extends Failure {
  constructor(cause: unknown) {
    super('unavailable', 'The store of the files cannot be reached. Please try again shortly.', {}, { retryAfterSeconds: 10 })
    this.cause = cause
  }
}

const SERVER_ERROR = 500
const inTrouble = z.union([
  z.object({ name: z.literal('TimeoutError') }),
  z.object({ $metadata: z.object({ httpStatusCode: z.int().min(SERVER_ERROR) }) }),
])

/** Returns true if an error of the store's client means that the store is unavailable, even if another error wraps it. */
export function isStoreAway(error: unknown): boolean {
  return error instanceof Error && (isBrokenSocket(error) || inTrouble.safeParse(error).success || isStoreAway(error.cause))
}

/** Runs work that uses the store, and turns its errors into refusals if the store is full or unavailable. */
export async function askStore<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw storeFailure(error)
  }
}

/** Returns the stream that the store sends. It may break off in the middle. */
export function fromStore(stream: Readable): Readable {
  const through = new PassThrough()
  stream.once('error', (error) => through.destroy(storeFailure(error)))
  through.once('close', () => stream.destroy())
  return stream.pipe(through)
}

function storeFailure(error: unknown): Error {
  if (isNoRoom(error)) return new NoRoom()
  if (isStoreAway(error)) return new StoreAway(error)
  return error instanceof Error ? error : new Error(String(error))
}
