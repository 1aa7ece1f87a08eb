import { describe, expect, test } from 'vitest'
import { boxStyle, turnBox } from './boxes.ts'
import { findOnPage, type TextPiece } from './find-text.ts'
import { stepZoom, wheelZoom, widthAt, zoomSteps } from './zoom.ts'

const piece = (text: string, x: number, more: Partial<TextPiece> = {}): TextPiece => ({
  text,
  endsLine: false,
  x,
  y: 0.1,
  width: text.length * 0.01,
  height: 0.02,
  ...more,
})

describe('text on a page', () => {
  test('is found whatever its case and gaps, over several pieces, and marked where it stands', () => {
    const pieces = [piece('Amount', 0.1), piece('Due', 0.2, { endsLine: true }), piece('AMOUNT  DUE 120.40', 0.1, { y: 0.2 })]
    const hits = findOnPage(3, pieces, ' amount due ')
    expect(hits.map(({ page, boxes }) => [page, boxes.length])).toEqual([
      [3, 2],
      [3, 1],
    ])
    expect(hits[0]?.boxes[0]).toMatchObject({ x: 0.1, y: 0.1 })
    const [box] = findOnPage(1, [piece('abcdef', 0.1)], 'cd')[0]?.boxes ?? []
    expect(box?.x).toBeCloseTo(0.12)
    expect(box?.width).toBeCloseTo(0.02)
  })

  test('of pieces that touch is one word, of pieces apart two', () => {
    expect(findOnPage(1, [piece('Me', 0.1), piece('ter', 0.12)], 'meter')).toHaveLength(1)
    expect(findOnPage(1, [piece('Me', 0.1), piece('ter', 0.2)], 'meter')).toHaveLength(0)
    expect(findOnPage(1, [piece('anything', 0.1)], '  ')).toEqual([])
  })
})

test('a place keeps its corner of the paper however the page is turned', () => {
  const box = { x: 0.1, y: 0.2, width: 0.3, height: 0.05 }
  const once = turnBox(box, 1)
  expect(once.x).toBeCloseTo(0.75)
  expect(once).toMatchObject({ y: 0.1, width: 0.05, height: 0.3 })
  const around = turnBox(turnBox(turnBox(once, 1), 1), 1)
  expect(around.x).toBeCloseTo(box.x)
  expect(around.y).toBeCloseTo(box.y)
  expect(turnBox(box, 2).x).toBeCloseTo(turnBox(turnBox(box, 1), 1).x)
  expect(turnBox(box, 3).y).toBeCloseTo(turnBox(turnBox(box, 2), 1).y)
  expect(boxStyle(box)).toEqual({ left: '10.000%', top: '20.000%', width: '30.000%', height: '5.000%' })
})

test('zoom goes from step to step, also from between them, and stays within its bounds', () => {
  expect([stepZoom(100, 1), stepZoom(100, -1), stepZoom(87, 1), stepZoom(87, -1), stepZoom(400, 1), stepZoom(25, -1)]).toEqual([
    125, 75, 100, 75, 400, 25,
  ])
  for (let shown = 1; shown < 1_000; shown += 7) {
    expect(zoomSteps).toContain(stepZoom(shown, 1))
    expect(wheelZoom(shown, 300)).toBeGreaterThanOrEqual(25)
    expect(wheelZoom(shown, -3_000)).toBeLessThanOrEqual(400)
  }
  expect([widthAt('width', 612, 500), widthAt(100, 612, 500), widthAt(50, 612, 500)]).toEqual([500, 816, 408])
})
