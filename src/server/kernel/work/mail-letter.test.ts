import { expect, test } from 'vitest'
import { letterBody } from './mail-letter.ts'

const { subject, text, html } = letterBody({
  subject: 'Set a <new> password',
  paragraphs: ['For "ann" & co.', 'Second.'],
  action: { label: 'Set it', url: 'https://example.test/reset?a=1&b=2' },
  footnote: 'For an hour.',
})

test('a letter says the same as text and as HTML, with the product’s name', () => {
  expect(subject).toBe('Set a <new> password')
  expect(text).toBe('For "ann" & co.\n\nSecond.\n\nSet it:\nhttps://example.test/reset?a=1&b=2\n\nFor an hour.\n\n-- \nMeterbook\n')
  for (const part of ['For &quot;ann&quot; &amp; co.', 'Second.', 'Set it', 'For an hour.', 'Meterbook']) expect(html).toContain(part)
  expect(html).not.toContain('<new>')
})

test('the HTML fetches nothing: its only addresses are the link’s own', () => {
  const addresses = [...html.matchAll(/(?:https?:)?\/\/[^"<\s]+/g)].map(([found]) => found)
  expect(new Set(addresses)).toEqual(new Set(['https://example.test/reset?a=1&amp;b=2']))
  expect(html).not.toMatch(/<(img|script|link|iframe|video|object)\b|url\(|@import|\ssrc=/i)
})
