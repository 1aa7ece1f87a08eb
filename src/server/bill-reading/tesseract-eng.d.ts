declare module '@tesseract.js-data/eng' {
  const eng: { readonly code: string; readonly gzip: boolean; readonly langPath: string }
  export default eng
}
