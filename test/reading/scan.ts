/** Turns a document into a scan: its pages as pictures, a little turned, with grey paper and specks. */
import { buffer } from 'node:stream/consumers'
import { createCanvas, loadImage, type SKRSContext2D } from '@napi-rs/canvas'
import PdfDocument from 'pdfkit'
import { renderPageAsImage, getDocumentProxy } from 'unpdf'
import { sameInfo } from './paper.ts'
import { ownFonts } from '../../src/server/bill-reading/own-fonts.ts'
import { seededRandom } from '../../src/server/kernel/seeded-random.ts'

export interface Scanner {
  readonly dpi: number
  /** Degrees. */
  readonly skew: number
  /** Share of the dots that are specks. */
  readonly specks: number
}

/** @returns a PDF of pictures, without any text. */
export async function scanned(pdf: Uint8Array, { dpi, skew, specks }: Scanner): Promise<Uint8Array> {
  const source = await getDocumentProxy(pdf.slice(), ownFonts)
  const document = new PdfDocument({ autoFirstPage: false, margin: 0, info: sameInfo })
  for (let page = 1; page <= source.numPages; page += 1) {
    const png = await renderPageAsImage(source, page, { canvasImport: () => import('@napi-rs/canvas'), scale: dpi / 72 })
    const image = await loadImage(Buffer.from(png))
    const canvas = createCanvas(image.width, image.height)
    const drawn = canvas.getContext('2d')
    drawn.fillStyle = '#f4f3ef'
    drawn.fillRect(0, 0, image.width, image.height)
    drawn.translate(image.width / 2, image.height / 2)
    drawn.rotate((skew * Math.PI) / 180)
    drawn.globalCompositeOperation = 'multiply'
    drawn.drawImage(image, -image.width / 2, -image.height / 2)
    drawn.resetTransform()
    sprinkle(drawn, image.width, image.height, specks)
    document.addPage({ size: [(image.width * 72) / dpi, (image.height * 72) / dpi], margin: 0 })
    document.image(canvas.toBuffer('image/jpeg', 80), 0, 0, { width: (image.width * 72) / dpi })
  }
  await source.loadingTask.destroy()
  document.end()
  return new Uint8Array(await buffer(document))
}

function sprinkle(drawn: SKRSContext2D, width: number, height: number, specks: number): void {
  const random = seededRandom(`${width} ${height}`)
  drawn.globalCompositeOperation = 'source-over'
  for (let left = width * height * specks; left > 0; left -= 1) {
    drawn.fillStyle = random() < 0.5 ? 'rgba(40,40,40,0.5)' : 'rgba(255,255,255,0.7)'
    drawn.fillRect(Math.floor(random() * width), Math.floor(random() * height), 1, 1)
  }
}
