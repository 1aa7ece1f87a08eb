/** Forms with a file: their encoding, and their upload with progress for large files. */
import { valueText } from '../value-text.ts'

/** Encodes `{ document: { title, file } }` as `document[title]` and `document[file]`; undefined values are left out. */
export function formData(body: unknown): FormData {
  if (body instanceof FormData) return body
  const form = new FormData()
  append(form, '', body)
  return form
}

function append(form: FormData, name: string, value: unknown): void {
  if (value === undefined || value === null) return
  if (value instanceof File) form.append(name, value, value.name)
  else if (typeof value === 'object')
    for (const [key, inner] of Object.entries(value)) append(form, name === '' ? key : `${name}[${key}]`, inner)
  else form.append(name, valueText(value))
}

/** Sends like `fetch` and reports upload progress, which `fetch` cannot do. */
export function sendWithProgress(url: string, init: RequestInit, onProgress: (share: number) => void): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(init.method ?? 'GET', url)
    for (const [name, value] of new Headers(init.headers)) request.setRequestHeader(name, value)
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0))
    request.addEventListener('load', () => resolve(answerOf(request)))
    request.addEventListener('error', () => reject(new TypeError('the request failed')))
    request.addEventListener('abort', () => reject(new DOMException('the request was given up', 'AbortError')))
    init.signal?.addEventListener('abort', () => request.abort(), { once: true })
    request.send(init.body instanceof FormData || typeof init.body === 'string' ? init.body : null)
  })
}

function answerOf(request: XMLHttpRequest): Response {
  const lines = request
    .getAllResponseHeaders()
    .trim()
    .split(/[\r\n]+/)
  const headers = new Headers(
    lines.flatMap((line): [string, string][] => {
      const at = line.indexOf(':')
      return at < 0 ? [] : [[line.slice(0, at).trim(), line.slice(at + 1).trim()]]
    }),
  )
  return new Response(request.responseText, { status: request.status, statusText: request.statusText, headers })
}
