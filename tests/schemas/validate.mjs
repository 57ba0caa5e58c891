// Validates an XML file against a schema: node validate.mjs FOLDER SCHEMA.xsd FILE.xml
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";

const [folder, schema, file] = process.argv.slice(2);
const { validateXML } = createRequire(`${folder}/`)("xmllint-wasm");
const read = (name) => readFileSync(name, "utf8");
const told = await validateXML({
  xml: { fileName: "file.xml", contents: read(file) },
  schema: [{ fileName: "schema.xsd", contents: read(schema) }],
});
if (!told.valid) {
  console.error(told.errors.map((error) => error.rawMessage).join("\n"));
  process.exit(1);
}
