/** A store that is reached over the network, and that does not answer or is in trouble itself. */
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

/** Whether an error of the store's client says that the store is away. Also where another error wraps it. */
export function isStoreAway(error: unknown): boolean {
  return error instanceof Error && (isBrokenSocket(error) || inTrouble.safeParse(error).success || isStoreAway(error.cause))
}

/** Runs what asks the store, and says so where the store is full or away. */
export async function askStore<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw storeFailure(error)
  }
}

/** What the store sends, which may break off in the middle. */
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
