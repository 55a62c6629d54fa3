import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const SOURCES = import.meta.dirname
const read = (path: string) => readFileSync(join(SOURCES, path), 'utf8')

/** The file that may hand Leaflet something to show; it hands it nodes of text. */
const MAP_TEXT = join('ui', 'map', 'mapText.ts')
/** The sandboxed previews of pages and of mails that the server wrote. */
const PREVIEWS = [join('outreach', 'proposals', 'ProposalFrame.tsx'), join('proof', 'pop', 'editor', 'PopPreview.tsx')]
const MAILS = [join('outreach', 'messages', 'MessageDrawer.tsx'), join('proof', 'campaign-mails', 'ReportPreview.tsx')]

const parsesHtml =
  /\b(?:innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML|setHTML\w*|parseHTML\w*|createContextualFragment|DOMParser|XSLTProcessor)\b|\bdocument\s*\??\.\s*write|\bsrcdoc\b|javascript:/i
const leafletHtml =
  /\b(?:bind(?:Tooltip|Popup)|set(?:Tooltip|Popup)?Content|(?:open|toggle)(?:Tooltip|Popup)|addAttribution|setPrefix|divIcon)\b|\bL\.(?:control|tooltip|popup)\b|\bnew L\.(?:Control|Tooltip|Popup|DivIcon)\b/

const sources = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter(
  (path) => /\.tsx?$/.test(path) && !/(?:^|[/\\])test-|\.test\.tsx?$/.test(path),
)
const holding = (pattern: RegExp) => sources.filter((path) => pattern.test(read(path)))

test('no source parses a string as HTML, except the sandboxed previews of public pages and of mails', () => {
  expect(sources.length).toBeGreaterThan(300)
  expect(holding(parsesHtml).toSorted()).toEqual([...MAILS, ...PREVIEWS].toSorted())
  for (const preview of PREVIEWS) {
    expect(read(preview)).toContain('sandbox="allow-same-origin"')
    expect(read(preview)).not.toContain('allow-scripts')
  }
  for (const path of MAILS) {
    expect(read(path)).toContain('sandbox=""')
    expect(read(path).match(/<iframe/g)).toHaveLength(1)
  }
})

test('what a map says goes through one file, which takes text', () => {
  expect(holding(leafletHtml)).toEqual([MAP_TEXT])
  // Under another name its functions would not be found.
  expect(holding(/import (?!type )(?!L )[^'\n]* from 'leaflet'/)).toEqual([])
})
