/** The frames of a server-sent event stream, read by `fetch`, because only `fetch` can send the three headers. */

export interface LiveFrame {
  readonly event: string
  readonly data: string
  /** For resuming: the last one is sent as `last-event-id`. */
  readonly id: string | undefined
}

/** Reads a stream's frames until it ends. Uses a reader loop, because only recent browsers support `for await` over a stream. */
export async function* readFrames(body: ReadableStream<Uint8Array>): AsyncGenerator<LiveFrame> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const blocks = (rest + decoder.decode(value, { stream: true })).replaceAll('\r\n', '\n').split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) {
        const frame = frameOf(block)
        if (frame) yield frame
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

/** Parses one block of lines; returns null for comments, which only keep the connection open. */
export function frameOf(block: string): LiveFrame | null {
  const lines = block.split('\n')
  const valuesOf = (name: string) =>
    lines.filter((line) => line.startsWith(`${name}:`)).map((line) => line.slice(name.length + 1).replace(/^ /, ''))
  const data = valuesOf('data')
  if (data.length === 0) return null
  return { event: valuesOf('event').at(-1) ?? 'message', data: data.join('\n'), id: valuesOf('id').at(-1) }
}
