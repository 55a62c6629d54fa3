import type * as z from '@roadshow/contract/platform/zod'

type Taken<Body extends z.ZodType> = Extract<keyof z.input<Body>, string>

/** The fields of a row that an endpoint's body accepts. */
export const pickFields = <Body extends z.ZodType & { shape: z.ZodRawShape }, Row extends object>(
  body: Body,
  row: Row,
) =>
  Object.fromEntries(Object.entries(row).filter(([name]) => name in body.shape)) as Pick<
    Row,
    Extract<Taken<Body>, keyof Row>
  >
