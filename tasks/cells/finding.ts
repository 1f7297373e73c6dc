/** Something in a notebook that must be mended. */
export interface Finding {
  /** Name without `.ipynb`; a path from the project's folder where it is no notebook. */
  readonly notebook: string;
  /** 1-based among all cells; undefined where it concerns the whole notebook. */
  readonly cell?: number | undefined;
  /** 1-based within the cell. */
  readonly line?: number | undefined;
  readonly message: string;
}

/** `11_norse_acquisition, cell 4, line 2: message` */
export function inWords({ notebook, cell, line, message }: Finding): string {
  const place = [
    notebook,
    ...(cell === undefined ? [] : [`cell ${cell}`]),
    ...(line === undefined ? [] : [`line ${line}`]),
  ];
  return `${place.join(", ")}: ${message}`;
}
