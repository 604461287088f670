// The way to each table that can be imported.
import { chooseTable, importFrame } from "../../ui/imports.js";

export default () => importFrame(null, chooseTable());
