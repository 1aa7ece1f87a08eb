/** Builds both forms of a mail from one description. The HTML is one narrow table with inline styles and loads nothing external. */

export interface Letter {
  readonly subject: string
  readonly paragraphs: readonly string[]
  readonly action?: Action
  /** Further links, below the first. */
  readonly more?: readonly Action[]
  readonly footnote?: string
}

interface Action {
  readonly label: string
  readonly url: string
}

const product = 'Meterbook'

/** Renders a letter as text and as HTML. */
export function letterBody({ subject, paragraphs, action, more = [], footnote }: Letter): { subject: string; text: string; html: string } {
  const actions = [...(action ? [action] : []), ...more]
  const lines = [...paragraphs, ...actions.map(({ label, url }) => `${label}:\n${url}`), ...(footnote ? [footnote] : [])]
  return {
    subject,
    text: `${lines.join('\n\n')}\n\n-- \n${product}\n`,
    html: page(subject, rows({ subject, paragraphs, actions, footnote })),
  }
}

type Parts = Pick<Letter, 'subject' | 'paragraphs'> & { actions: readonly Action[]; footnote: string | undefined }

function rows({ subject, paragraphs, actions, footnote }: Parts): string {
  const row = (content: string, style: string): string => `<tr><td style="${style}">${content}</td></tr>`
  return [
    row(product, 'padding:0 0 20px;font-size:14px;font-weight:600'),
    row(escaped(subject), 'padding:0 0 12px;font-size:20px;line-height:26px;font-weight:600'),
    ...paragraphs.map((text) => row(escaped(text), 'padding:0 0 12px')),
    ...actions.flatMap((action) => [
      row(button(action), 'padding:8px 0 16px'),
      row(plainLink(action.url), `padding:0 0 12px;font-size:13px;${quiet}`),
    ]),
    ...(footnote ? [row(escaped(footnote), `padding:12px 0 0;border-top:1px solid #d8dce2;font-size:13px;${quiet}`)] : []),
  ].join('\n')
}

const quiet = 'line-height:19px;color:#5b6470'

function button({ label, url }: Action): string {
  const style =
    'display:inline-block;padding:10px 18px;border-radius:6px;background:#1f5fd0;color:#ffffff;font-weight:600;text-decoration:none'
  return `<a href="${escaped(url)}" style="${style}">${escaped(label)}</a>`
}

/** For mail programs that show no buttons; long URLs must be breakable. */
function plainLink(url: string): string {
  return `Or open this address:<br><a href="${escaped(url)}" style="color:#1f5fd0;word-break:break-all">${escaped(url)}</a>`
}

function page(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light"><title>${escaped(title)}</title></head>
<body style="margin:0;padding:0;background:#f3f4f6">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#f3f4f6"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:520px;background:#ffffff;border:1px solid #d8dce2;border-radius:8px"><tr><td style="padding:28px 32px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;font-size:15px;line-height:22px;color:#1b2028;text-align:left">
${content}
</table></td></tr></table></td></tr></table>
</body>
</html>
`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
