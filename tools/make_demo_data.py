"""Make the predictions that the demonstration shows: three classifiers on digits, ten folds, fixed seeds.

python tools/make_demo_data.py > src/tiebreak/data/digits.csv
"""

from sklearn.datasets import load_digits
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

X, digit = load_digits(return_X_y=True)
folds = StratifiedKFold(10, shuffle=True, random_state=0)
models = {
    "forest": RandomForestClassifier(100, max_depth=8, random_state=0),
    "logistic": make_pipeline(StandardScaler(), LogisticRegression(max_iter=2000)),
    "bayes": GaussianNB(),
}
predictions = {name: cross_val_predict(model, X, digit, cv=folds) for name, model in models.items()}
print(",".join(["image", "digit", *predictions]))
for row in zip(range(len(digit)), digit, *predictions.values(), strict=True):
    print(",".join(map(str, row)))
