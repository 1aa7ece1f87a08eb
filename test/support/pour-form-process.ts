/**
 * A sender in its own process, so that the memory of the server can be measured alone: writes a form with an endless file, as fast as the
 * other side accepts it, until it is answered or cut off. Arguments: URL, headers as JSON, bytes. Prints the outcome as JSON.
 */
import { request as httpRequest } from 'node:http'

const [, , address = '', headers = '{}', bytes = '0'] = process.argv
const block = Buffer.alloc(65_536, 0x61)
const head =
  '--x\r\ncontent-disposition: form-data; name="document[title]"\r\n\r\nBig\r\n--x\r\ncontent-disposition: form-data; name="document[file]"; filename="big.csv"\r\ncontent-type: text/csv\r\n\r\n'
let written = 0
let status: number | null = null

const parsed: unknown = JSON.parse(headers)
const request = httpRequest(address, {
  method: 'POST',
  headers: {
    ...Object.fromEntries(typeof parsed === 'object' && parsed !== null ? Object.entries(parsed) : []),
    'content-type': 'multipart/form-data; boundary=x',
  },
})
const end = (): void => {
  process.stdout.write(JSON.stringify({ status }))
  process.exit(0)
}
request.on('response', (response) => {
  status = response.statusCode ?? null
  response.resume().on('end', end).on('error', end)
})
request.on('error', end).on('close', end)
request.write(head)
more()

function more(): void {
  while (written < Number(bytes) && !request.destroyed && status === null) {
    written += block.length
    if (!request.write(block)) return void request.once('drain', more)
  }
  if (!request.destroyed) request.end('\r\n--x--\r\n')
}
