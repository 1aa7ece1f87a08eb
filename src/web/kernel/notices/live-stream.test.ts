import { expect, test } from 'vitest'
import { frameOf, readFrames } from './live-stream.ts'

test('frames come out whole however the bytes are cut', async () => {
  const text = ': hello\n\nid: 4\nevent: message\ndata: {"a":1}\n\ndata: x\ndata: y\n\n'
  for (const size of [1, 3, 7, 100]) {
    const bytes = new TextEncoder().encode(text)
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size))
        controller.close()
      },
    })
    const frames = []
    for await (const frame of readFrames(body)) frames.push(frame)
    expect(frames).toEqual([
      { event: 'message', data: '{"a":1}', id: '4' },
      { event: 'message', data: 'x\ny', id: undefined },
    ])
  }
})

test('a comment is no frame', () => {
  expect(frameOf(': keep')).toBeNull()
})
